import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

type Props = {
  title?: string;
  action?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
};

export function Card({ title, action, children, footer }: Props) {
  return (
    <CardSurface as="section" aria-label={title}>
      {title && (
        <Head>
          <h2 dir="auto">{title}</h2>
          {action}
        </Head>
      )}
      {children}
      {footer && <Foot>{footer}</Foot>}
    </CardSurface>
  );
}

export const CardSurface = styled.div`
  min-width: 0;
  background: ${theme.color.surface};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  box-shadow: ${theme.shadow.low};
`;

const Head = styled.header`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]};
  min-height: 56px;
  padding: ${theme.space[2]} ${theme.gutter.card};
  border-bottom: 1px solid ${theme.color.line};
`;

const Foot = styled.footer`
  padding: ${theme.space[3]} ${theme.gutter.card};
  border-top: 1px solid ${theme.color.line};
`;

/** Cards in as many columns as fit; `--card-width` sets their minimum width. */
export const CardGrid = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--card-width, 320px)), 1fr));
  gap: ${theme.space[4]};
  > li {
    display: grid;
    min-width: 0;
  }
`;
