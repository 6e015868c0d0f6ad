import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { searchIconStyles, searchInputStyles } from './field.tsx';

/** Contains a native search field after its icon. The field of the library would load with the first screen. */
export const NativeSearch = styled.div`
  position: relative;
  flex: 1;
  min-width: 0;
  > svg {
    ${searchIconStyles}
  }
`;

export const NativeSearchInput = styled.input`
  ${searchInputStyles}
  &:focus {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -1px;
    border-color: ${theme.color.accent};
    box-shadow: none;
  }
`;
