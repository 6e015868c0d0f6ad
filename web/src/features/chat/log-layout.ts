import { styled } from 'styled-components';
import { hiddenInPrint } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

export const Pane = styled.section`
  position: relative;
  display: flex;
  flex-direction: column;
  flex: 1;
  min-width: 0;
  min-height: 0;
  background: ${theme.color.ground};
  @media print {
    display: block;
  }
`;

export const DropHere = styled.div`
  position: absolute;
  inset: ${theme.space[2]};
  z-index: ${theme.layer.bar};
  display: grid;
  place-items: center;
  border: 2px dashed ${theme.color.accent};
  border-radius: ${theme.radius.lg};
  background: color-mix(in srgb, ${theme.color.accentSoft} 88%, transparent);
  font: 600 ${theme.text.lg};
  color: ${theme.color.text};
  pointer-events: none;
`;

export const Log = styled.div`
  position: relative;
  display: flex;
  flex-direction: column;
  flex: 1;
  min-height: 0;
  @media print {
    display: block;
  }
`;

/** Scrolls if there is little space, such as with an on-screen keyboard. */
export const Unloaded = styled.div`
  display: flex;
  flex-direction: column;
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  > * {
    flex: none;
  }
`;

export const Foot = styled.div`
  width: 100%;
  max-width: 828px;
  margin: 0 auto;
  padding: ${theme.space[2]} var(--log-padding, ${theme.space[6]}) ${theme.space[1]};
  ${hiddenInPrint}
  ${theme.media.small} {
    padding: ${theme.space[2]} ${theme.space[3]} ${theme.space[1]};
  }
`;
