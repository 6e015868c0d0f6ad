import { styled } from 'styled-components';
import { captionStyles, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

/** The header of a conversation, of a thread, and of the Threads view, which are all equally high. */
export const PaneHeader = styled.header`
  ${inlineStyles(1)}
  flex: none;
  height: 64px;
  padding: 0 ${theme.space[4]} 0 ${theme.space[6]};
  border-bottom: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  ${theme.media.small} {
    height: 60px;
    padding: 0 ${theme.space[2]};
  }
`;

/** A heading with a caption below it. */
export const PaneTitle = styled.div`
  flex: 1;
  min-width: 0;
  h2,
  p {
    ${ellipsis}
  }
  p {
    ${captionStyles}
  }
`;
