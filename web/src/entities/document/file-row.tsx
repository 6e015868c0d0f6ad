import { Children, Fragment, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { Box, Caption, Inline } from '#ui/layout/primitives.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = {
  icon: ReactNode;
  title: ReactNode;
  details: readonly ReactNode[];
  children: ReactNode;
};

export function FileRow({ icon, title, details, children }: Props) {
  return (
    <Inline $gap={3}>
      {icon}
      <Box $flex="fill">
        <Title>
          <bdi>{title}</bdi>
        </Title>
        <Caption $breaks>
          {Children.map(details, (detail, index) => (
            <Fragment>
              {index > 0 && ' · '}
              <bdi>{detail}</bdi>
            </Fragment>
          ))}
        </Caption>
      </Box>
      <Inline $align="stretch" $flex="none">
        {children}
      </Inline>
    </Inline>
  );
}

export const FileList = styled.ul`
  display: grid;
  gap: ${theme.space[2]};
  > * {
    min-width: 0;
  }
`;

const Title = styled.p`
  ${inlineStyles(2)}
  overflow-wrap: anywhere;
  > * {
    min-width: 0;
  }
`;
