import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

/** A field that has no space for its formatting next to its other buttons: on phones, and in threads. */
export const NARROW = '@container (max-width: 559px)';

/** Next to a thread or to the search on a small desktop: its buttons need two lines. */
const NARROWEST = '@container (max-width: 319px)';

/** The frame of a field, which shows its focus. */
export const FieldBox = styled.div`
  container-type: inline-size;
  position: relative;
  padding: 3px 5px 5px;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  transition: border-color ${theme.motion.fast};
  &:focus-within {
    border-color: ${theme.color.accent};
    box-shadow: 0 0 0 1px ${theme.color.accent};
  }
`;

/** At the end of an empty field where the line below has no space for it. */
export const UndoPlace = styled.div`
  ${NARROW} {
    position: absolute;
    top: 5px;
    inset-inline-end: 5px;
    background: ${theme.color.surface};
    textarea:not(:placeholder-shown) ~ * & {
      display: none;
    }
    > button {
      height: 32px;
      min-height: 0;
    }
  }
`;

/** What is below the text: what can be added, the formatting, and what ends writing. */
export const FieldActions = styled.div`
  display: grid;
  grid-template: 'add format end' minmax(32px, auto) / auto minmax(0, 1fr) auto;
  align-items: center;
  > :last-child {
    grid-area: end;
  }
  ${NARROW} {
    grid-template-areas: 'add . end' 'format format format';
    grid-template-rows: minmax(32px, auto) auto;
  }
  ${NARROWEST} {
    grid-template-areas: 'add add add' 'format format format' 'end end end';
    > :last-child {
      justify-self: end;
    }
  }
`;
