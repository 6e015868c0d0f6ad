import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { css, styled } from 'styled-components';
import { IconButton } from '../icon-button.tsx';
import { alignWithParent, ellipsis } from '../mixins.ts';
import { theme } from '../theme.ts';

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

/** `screen` leaves a margin around it, `whole` leaves none; their titles take one line. */
type Width = 'sm' | 'md' | 'lg' | 'screen' | 'whole';

export type ModalFrameProps = {
  isOpen?: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  width?: Width;
  isDismissable?: boolean;
  role?: 'dialog' | 'alertdialog';
};

export function ModalFrame({ onClose, title, description, children, width = 'md', ...rest }: ModalFrameProps) {
  const { isOpen = true, isDismissable = false, role = 'dialog', actions } = rest;
  return (
    <Veil
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={isDismissable}
      $isWhole={width === 'whole'}
    >
      <Sheet $width={width}>
        <Frame role={role}>
          <Head>
            <div>
              <Title slot="title" dir="auto" $isOneLine={isLarge(width)} {...(isLarge(width) && { title })}>
                {title}
              </Title>
              {description && <Lead>{description}</Lead>}
            </div>
            <Buttons>
              {actions}
              <IconButton label="Close" onPress={onClose}>
                <X />
              </IconButton>
            </Buttons>
          </Head>
          {children}
        </Frame>
      </Sheet>
    </Veil>
  );
}

const widths = { sm: '420px', md: '560px', lg: '760px', screen: '1440px', whole: 'none' };
const isLarge = (width: Width) => width === 'screen' || width === 'whole';

const HEIGHT = 'var(--visual-viewport-height, 100dvh)';
const heights = {
  screen: css`
    height: calc(${HEIGHT} - 32px);
    ${theme.media.small} {
      height: ${HEIGHT};
      max-height: none;
      border-radius: 0;
    }
  `,
  whole: css`
    height: ${HEIGHT};
    max-height: none;
    border: 0;
    border-radius: 0;
  `,
};
const heightOf = ({ $width }: { $width: Width }) => ($width === 'screen' || $width === 'whole') && heights[$width];

const Veil = styled(Backdrop)<{ $isWhole: boolean }>`
  display: grid;
  place-items: center;
  padding: ${({ $isWhole }) => ($isWhole ? 0 : theme.space[4])};
  height: ${HEIGHT};
  ${theme.media.small} {
    place-items: end stretch;
    padding: 0;
  }
  @media print {
    position: static;
    display: block;
    height: auto;
    padding: 0;
    background: none;
  }
`;

const Sheet = styled(Modal)<{ $width: Width }>`
  width: 100%;
  max-width: ${({ $width }) => widths[$width]};
  max-height: calc(${HEIGHT} - 32px);
  display: flex;
  border: 1px solid ${theme.color.line};
  border-radius: 16px;
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.modal};
  overflow: hidden;
  transition: transform ${theme.motion.slow} ${theme.motion.ease};
  &[data-entering] {
    transform: translateY(8px) scale(0.985);
  }
  &[data-exiting] {
    transition: none;
  }
  ${theme.media.small} {
    max-width: none;
    border-width: 1px 0 0;
    border-radius: 16px 16px 0 0;
    &[data-entering] {
      transform: translateY(100%);
    }
  }
  ${heightOf}
  @media print {
    max-width: none;
    height: auto;
    max-height: none;
    border: 0;
    box-shadow: none;
    overflow: visible;
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
    > div:first-child {
      padding-top: 10px;
    }
  }
`;

const Buttons = styled.div`
  display: flex;
  flex: none;
  padding: 0;
`;

const Title = styled(Heading)<{ $isOneLine: boolean }>`
  font: 600 ${theme.text.lg};
  letter-spacing: -0.005em;
  padding-top: 4px;
  ${({ $isOneLine }) => $isOneLine && oneLine}
  ${theme.media.small} {
    padding-top: 0;
  }
`;

const oneLine = css`
  ${ellipsis}
`;

const Lead = styled.p`
  unicode-bidi: plaintext;
  ${alignWithParent}
  margin-top: 2px;
  color: ${theme.color.text2};
`;
