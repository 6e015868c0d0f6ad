import type { Document } from '@atrium/proto-events/http/documents';
import { Globe, Lock, UsersRound } from 'lucide-react';
import { Pill } from '#ui/pill.tsx';
import { VISIBILITY_LABELS } from './document-labels.ts';

const ICONS = { private: <Lock />, team: <UsersRound />, public: <Globe /> };
const WHO = {
  private: 'Visible to its uploader, people it is shared with, and administrators',
  team: 'Visible to project members, or to everyone if it has no project',
  public: 'Visible to everyone who is signed in',
};

export function VisibilityPill({ visibility }: Pick<Document, 'visibility'>) {
  return (
    <Pill icon={ICONS[visibility]} title={WHO[visibility]} tone={visibility === 'public' ? 'info' : 'neutral'}>
      {VISIBILITY_LABELS[visibility]}
    </Pill>
  );
}
