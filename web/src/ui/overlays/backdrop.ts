import { ModalOverlay } from 'react-aria-components/Modal';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

/** The dimmed page below a dialog. It fades in and disappears immediately (see `FloatingSurface`). */
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
