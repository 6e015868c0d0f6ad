import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

/** A form in a settings panel; its buttons are at the end, the primary one last. */
export const PanelForm = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  padding: ${theme.gutter.panel};
  > footer {
    display: flex;
    justify-content: flex-end;
    gap: ${theme.space[2]};
    padding-top: ${theme.space[2]};
  }
  ${theme.media.small} {
    > footer > button {
      flex: 1;
    }
  }
`;
