import type { Document } from '@atrium/proto-events/http/documents';
import { Globe, Lock, UsersRound } from 'lucide-react';
import { Pill } from '../../ui/pill.tsx';
import { VISIBILITY_LABELS } from './document-labels.ts';

const ICONS = { private: <Lock />, team: <UsersRound />, public: <Globe /> };
const WHO = {
  private: 'Seen by its uploader, those it is shared with, and administrators',
  team: 'Seen by the people of its project, or by everyone where it has none',
  public: 'Seen by everyone who is signed in',
};

export function VisibilityPill({ visibility }: Pick<Document, 'visibility'>) {
  return (
    <Pill icon={ICONS[visibility]} title={WHO[visibility]} tone={visibility === 'public' ? 'info' : 'neutral'}>
      {VISIBILITY_LABELS[visibility]}
    </Pill>
  );
}
