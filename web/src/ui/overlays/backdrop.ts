import { ModalOverlay } from 'react-aria-components/Modal';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

/** What darkens the page below a window. It comes softly and goes at once (see `FloatingSurface`). */
export const Backdrop = styled(ModalOverlay)`
  position: fixed;
  inset: 0;
  z-index: ${theme.layer.overlay};
  background: ${theme.color.veil};
  transition: opacity ${theme.motion.slow};
  &[data-entering] {
    opacity: 0;
  }
  &[data-exiting] {
    transition: none;
  }
`;
