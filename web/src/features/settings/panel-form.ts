import { styled } from 'styled-components';
import { theme } from '../../ui/theme.ts';

/** A form that fills a panel of the settings; its buttons stand at the end, the main one last. */
export const PanelForm = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  padding: ${theme.space[6]};
  > footer {
    display: flex;
    justify-content: flex-end;
    gap: ${theme.space[2]};
    padding-top: ${theme.space[2]};
  }
  ${theme.media.small} {
    padding: ${theme.space[4]};
    > footer > button {
      flex: 1;
    }
  }
`;
