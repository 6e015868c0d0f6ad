import { styled } from 'styled-components';
import { theme } from '../theme.ts';

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
