import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Modal } from 'react-aria-components/Modal';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { Backdrop } from './modal-frame.tsx';

type Props = { isOpen: boolean; onClose: () => void; label: string; children: ReactNode };

export function Drawer({ isOpen, onClose, label, children }: Props) {
  return (
    <Veil isOpen={isOpen} onOpenChange={(open) => open || onClose()} isDismissable>
      <Panel>
        <Frame aria-label={label}>{children}</Frame>
      </Panel>
    </Veil>
  );
}

const Veil = styled(Backdrop)`
  transition-duration: ${theme.motion.slide};
  &[data-exiting] {
    opacity: 0;
    transition: opacity ${theme.motion.slide};
    pointer-events: none;
  }
`;

const Panel = styled(Modal)`
  height: 100dvh;
  width: 18rem;
  max-width: 88vw;
  background: ${theme.color.sunken};
  border-inline-end: 1px solid ${theme.color.line};
  box-shadow: ${theme.shadow.modal};
  transition: transform ${theme.motion.slide} ${theme.motion.ease};
  &[data-entering],
  &[data-exiting] {
    transform: translateX(-100%);
  }
`;

const Frame = styled(AriaDialog)`
  display: flex;
  flex-direction: column;
  height: 100%;
  overflow-y: auto;
  outline: none;
`;
