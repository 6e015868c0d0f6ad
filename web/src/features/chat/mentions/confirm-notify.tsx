import { isolate } from '@atrium/proto-events/text/isolate';
import type { Mentions } from '@atrium/proto-events/text/mentions';
import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import { formatList } from '#lib/time/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { theme } from '#ui/theme.ts';

type People = { count: number; names: string[] };

type Props = {
  mentions: Mentions;
  people: People;
  action: 'Send' | 'Save';
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a message notifies many users. */
export function ConfirmNotify({ mentions, people, action, onConfirm, onClose }: Props) {
  const count = formatNumber(people.count);
  return (
    <ConfirmDialog
      title={mentions.everyone ? `Notify ${count} people?` : `Notify up to ${count} people?`}
      action={action}
      failure="Failed to send message"
      isDangerous={false}
      onConfirm={() => Promise.resolve(onConfirm())}
      onClose={onClose}
    >
      {mentionText(mentions, people)}
    </ConfirmDialog>
  );
}

function mentionText({ here, everyone }: Mentions, { names }: People): string {
  if (everyone) return 'Your message mentions everyone in this conversation.';
  if (here) return 'Your message mentions everyone in this conversation who is online.';
  const groups = names.length > 0 ? formatList(names.map((name) => isolate(name))) : 'departments or projects';
  return `Your message mentions ${groups}.`;
}

/** The message stays in the composer. */
export function MentionDenied() {
  return (
    <Frame>
      <Notice tone="danger">
        Only managers of this channel can mention everyone, departments, or projects. Remove the mention to send your
        message.
      </Notice>
    </Frame>
  );
}

const Frame = styled.div`
  padding-top: ${theme.space[2]};
`;
