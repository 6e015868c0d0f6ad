import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { styled } from 'styled-components';
import { IconButton } from '../icon-button.tsx';
import { theme } from '../theme.ts';

/** `full`: all of the window, for what is looked at. */
type Width = 'sm' | 'md' | 'lg' | 'full';

export type ModalFrameProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One sentence below the title. */
  description?: ReactNode;
  children: ReactNode;
  width?: Width;
  /** Whether a press outside closes, as `Esc` does. */
  isDismissable?: boolean;
  role?: 'dialog' | 'alertdialog';
};

/** What dialogs and questions are drawn in: a window over the page, a sheet from below on small screens. */
export function ModalFrame({ isOpen, onClose, title, description, children, width = 'md', ...rest }: ModalFrameProps) {
  const { isDismissable = false, role = 'dialog' } = rest;
  return (
    <Veil isOpen={isOpen} onOpenChange={(open) => open || onClose()} isDismissable={isDismissable}>
      <Sheet $width={width}>
        <Frame role={role}>
          <Head>
            <div>
              <Title slot="title">{title}</Title>
              {description && <Lead>{description}</Lead>}
            </div>
            <IconButton label="Close" onPress={onClose}>
              <X />
            </IconButton>
          </Head>
          {children}
        </Frame>
      </Sheet>
    </Veil>
  );
}

const widths = { sm: '420px', md: '560px', lg: '760px', full: 'none' };

const Veil = styled(ModalOverlay)`
  position: fixed;
  inset: 0;
  z-index: ${theme.layer.overlay};
  display: grid;
  place-items: center;
  padding: ${theme.space[4]};
  height: var(--visual-viewport-height, 100dvh);
  background: ${theme.color.veil};
  transition: opacity ${theme.motion.slow};
  &[data-entering],
  &[data-exiting] {
    opacity: 0;
  }
  ${theme.media.small} {
    place-items: end stretch;
    padding: 0;
  }
`;

const Sheet = styled(Modal)<{ $width: Width }>`
  width: 100%;
  max-width: ${({ $width }) => widths[$width]};
  max-height: calc(var(--visual-viewport-height, 100dvh) - 32px);
  height: ${({ $width }) => ($width === 'full' ? '100%' : 'auto')};
  display: flex;
  border: 1px solid ${theme.color.line};
  border-radius: 16px;
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.modal};
  overflow: hidden;
  transition: transform ${theme.motion.slow} ${theme.motion.ease};
  &[data-entering],
  &[data-exiting] {
    transform: translateY(8px) scale(0.985);
  }
  ${theme.media.small} {
    max-width: none;
    border-width: 1px 0 0;
    border-radius: 16px 16px 0 0;
    &[data-entering],
    &[data-exiting] {
      transform: translateY(100%);
    }
  }
`;

const Frame = styled(AriaDialog)`
  display: flex;
  flex-direction: column;
  flex: 1;
  min-width: 0;
  min-height: 0;
  outline: none;
  > form {
    display: flex;
    flex-direction: column;
    min-height: 0;
    flex: 1;
  }
`;

const Head = styled.header`
  display: flex;
  align-items: flex-start;
  justify-content: space-between;
  gap: ${theme.space[4]};
  padding: ${theme.space[5]} ${theme.space[4]} ${theme.space[3]} ${theme.space[6]};
  > div {
    min-width: 0;
  }
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[1]} ${theme.space[2]} ${theme.space[4]};
    > div {
      padding-top: 10px;
    }
  }
`;

const Title = styled(Heading)`
  font: 600 ${theme.text.lg};
  letter-spacing: -0.005em;
  padding-top: 4px;
  ${theme.media.small} {
    padding-top: 0;
  }
`;

const Lead = styled.p`
  margin-top: 2px;
  color: ${theme.color.text2};
`;
