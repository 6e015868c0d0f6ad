import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { captionStyles, ellipsis, focusRing, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = {
  path: string;
  /** What the card is about, such as "Task". */
  kind: string;
  icon: ReactNode;
  title: string;
  children: ReactNode;
};

/** Every card has the height of `CardPlaceholder`, so that its content moves nothing. */
export function LinkCard({ path, kind, icon, title, children }: Props) {
  return (
    <Card to={path}>
      {icon}
      <Texts>
        <Title dir="auto">{title}</Title>
        <Facts>
          <span>{kind}</span>
          {children}
        </Facts>
      </Texts>
    </Card>
  );
}

export function CardIcon({ children }: { children: ReactNode }) {
  return (
    <IconTile $size={40} aria-hidden="true">
      {children}
    </IconTile>
  );
}

const CARD_HEIGHT = '60px';

export const CardPlaceholder = styled.div`
  height: ${CARD_HEIGHT};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
`;

const Card = styled(Link)`
  ${inlineStyles(3)}
  ${focusRing}
  height: ${CARD_HEIGHT};
  padding: 0 ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-inline-start: 3px solid ${theme.color.lineStrong};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  &:hover {
    border-color: ${theme.color.lineStrong};
    text-decoration: none;
  }
`;

const Texts = styled.span`
  display: grid;
  flex: 1;
  min-width: 0;
  gap: 2px;
`;

const Title = styled.strong`
  ${ellipsis}
  font-weight: 600;
`;

const Facts = styled.span`
  ${captionStyles}
  ${inlineStyles(2)}
  overflow: hidden;
  white-space: nowrap;
  > * {
    flex: none;
  }
  > :not(:first-child)::before {
    content: '·';
    margin-inline-end: ${theme.space[2]};
    color: ${theme.color.text3};
  }
  > :last-child {
    flex: 0 1 auto;
    min-width: 0;
    ${ellipsis}
  }
`;
