import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

/** A form on the screens that need no sign-in. */
export const EntranceForm = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  > button[type='submit'] {
    margin-top: ${theme.space[2]};
  }
`;
