import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { type FocusEvent, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { keyframes, styled } from 'styled-components';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import { hiddenInPrint } from '../mixins.ts';
import { theme } from '../theme.ts';
import { currentToast, dismissToast, holdToast, onToastChange, releaseToast, type Toast } from './toast.ts';

/**
 * Rendered once and loaded with the app, since failures must be shown without the network. Successes are announced
 * politely, errors assertively; both live regions exist before their content, or screen readers would miss it. Toasts
 * are above dialogs: React Aria neither hides a top layer behind a dialog nor treats it as outside.
 */
export function Toaster() {
  const toast = useSyncExternalStore(onToastChange, currentToast);
  const isError = toast?.tone === 'destructive';
  const region = useRef<HTMLElement>(null);
  useFocusKey(region);
  return (
    <Region ref={region} aria-keyshortcuts="F6" data-react-aria-top-layer="true" aria-label="Notifications">
      <div role="status">{toast && !isError && <ToastCard key={toast.id} toast={toast} />}</div>
      <div role="alert">{toast && isError && <ToastCard key={toast.id} toast={toast} />}</div>
    </Region>
  );
}

/** F6 moves to the toast, which is last in the tab order and would be gone before Tab reaches it. */
function useFocusKey(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const button = event.key === 'F6' ? region.current?.querySelector('button') : null;
      if (!button) return;
      event.preventDefault();
      button.focus();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [region]);
}

/** Toasts are at the top, because the bottom has the primary button of dialogs, the composer, and the account menu. */
function ToastCard({ toast }: { toast: Toast }) {
  const Icon = toast.icon ?? ICONS[toast.tone];
  const previousFocus = useRef<HTMLElement>(null);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      previousFocus.current = relatedTarget;
    holdToast();
  };
  const close = () => {
    previousFocus.current?.focus();
    dismissToast(toast.id);
  };
  const dismiss = () => {
    close();
    toast.onDismiss?.();
  };
  const act = () => {
    close();
    toast.action?.onPress();
  };
  return (
    <Card
      data-toast={toast.tone}
      $tone={toast.tone}
      onPointerEnter={holdToast}
      onPointerLeave={releaseToast}
      onFocus={onFocus}
      onBlur={releaseToast}
    >
      <Icon aria-hidden="true" />
      <Texts>
        <strong>{toast.title}</strong>
        {toast.description && <p>{toast.description}</p>}
      </Texts>
      {toast.action && (
        <Button size="sm" onPress={act} preventFocusOnPress>
          {toast.action.label}
        </Button>
      )}
      {/* A press must not move focus: a field that regains it would open its list. */}
      <IconButton label="Dismiss" onPress={dismiss} preventFocusOnPress>
        <X />
      </IconButton>
    </Card>
  );
}

const ICONS = { success: CircleCheck, info: CircleAlert, destructive: CircleAlert };
const INKS = { success: theme.color.success, info: theme.color.accent, destructive: theme.color.danger };

const appear = keyframes`from { opacity: 0; transform: translateY(-8px); }`;

const Region = styled.section`
  position: fixed;
  top: calc(${theme.space[4]} + env(safe-area-inset-top));
  inset-inline: 0;
  z-index: ${theme.layer.toast};
  display: grid;
  justify-items: center;
  pointer-events: none;
  > * > * {
    pointer-events: auto;
  }
  ${hiddenInPrint}
`;

const Card = styled.div<{ $tone: Toast['tone'] }>`
  display: flex;
  align-items: flex-start;
  gap: ${theme.space[3]};
  width: min(380px, calc(100vw - 32px));
  padding: ${theme.space[3]} ${theme.space[2]} ${theme.space[3]} ${theme.space[4]};
  border: 1px solid ${({ $tone }) => ($tone === 'destructive' ? theme.color.danger : theme.color.line)};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  font: ${theme.text.md};
  box-shadow: ${theme.shadow.float};
  animation: ${appear} ${theme.motion.slow} ${theme.motion.ease};
  > svg {
    width: 20px;
    height: 20px;
    margin-top: 6px;
    color: ${({ $tone }) => INKS[$tone]};
  }
`;

const Texts = styled.div`
  flex: 1;
  min-width: 0;
  padding: 6px 0;
  overflow-wrap: anywhere;
  strong {
    font-weight: 500;
  }
  p {
    color: ${theme.color.text2};
  }
`;
