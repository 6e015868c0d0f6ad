import { Notice } from '../../ui/notice.tsx';

/** Said once a save was refused because somebody else had saved before. */
export function ChangedNotice() {
  return (
    <Notice>Someone else changed this meeting meanwhile. What you typed is kept; save again to keep yours.</Notice>
  );
}
