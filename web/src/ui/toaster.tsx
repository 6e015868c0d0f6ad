import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import 'sonner/dist/styles.css';
import { styled } from 'styled-components';
import { IconButton } from './icon-button.tsx';
import { theme } from './theme.ts';
import { receiveToasts, type ToastMessage } from './toast.ts';

const DURATION_MS = 4000;

const isSmall = () => window.matchMedia('(max-width: 640px)');

function followSize(notify: () => void): () => void {
  const media = isSmall();
  media.addEventListener('change', notify);
  return () => media.removeEventListener('change', notify);
}

/**
 * Sonner's region is polite to screen readers and pauses while it is pointed at or focused. It keeps away from where dialogs have
 * their main button: on the right below, and on a phone all along the lower edge.
 */
export function Toaster() {
  useEffect(() => {
    return receiveToasts(showToast);
  }, []);
  const position = useSyncExternalStore(followSize, () => isSmall().matches) ? 'top-center' : 'bottom-left';
  return <Sonner position={position} visibleToasts={1} duration={DURATION_MS} expand={false} gap={8} />;
}

function showToast(message: ToastMessage): void {
  toast.dismiss();
  toast.custom((id) => <ToastCard message={message} onClose={() => toast.dismiss(id)} />, { duration: DURATION_MS });
}

function ToastCard({ message, onClose }: { message: ToastMessage; onClose: () => void }) {
  const isError = message.tone === 'destructive';
  return (
    <Card $isError={isError} role={isError ? 'alert' : undefined}>
      {isError ? <CircleAlert aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
      <Words>
        <strong>{message.title}</strong>
        {message.description && <p>{message.description}</p>}
      </Words>
      <IconButton label="Dismiss" onPress={onClose}>
        <X />
      </IconButton>
    </Card>
  );
}

const Card = styled.div<{ $isError: boolean }>`
  display: flex;
  align-items: flex-start;
  gap: ${theme.space[3]};
  width: min(380px, calc(100vw - 32px));
  padding: ${theme.space[3]} ${theme.space[2]} ${theme.space[3]} ${theme.space[4]};
  border: 1px solid ${({ $isError }) => ($isError ? theme.color.danger : theme.color.line)};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  font: ${theme.text.md};
  box-shadow: ${theme.shadow.float};
  > svg {
    width: 20px;
    height: 20px;
    margin-top: 6px;
    color: ${({ $isError }) => ($isError ? theme.color.danger : theme.color.success)};
  }
`;

const Words = styled.div`
  flex: 1;
  min-width: 0;
  padding: 6px 0;
  strong {
    font-weight: 500;
  }
  p {
    color: ${theme.color.text2};
  }
`;
