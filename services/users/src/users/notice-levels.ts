import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { OwnNoticeLevels, setNoticeLevel as setContract } from '@atrium/proto-events/http/notices/levels';
import { MAX_NOTICE_LEVELS, type NoticeLevels } from '@atrium/proto-events/notices/levels';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { changePreferences } from './preferences.ts';
import { findUser, type UserRow } from './user-repository.ts';

export async function listNoticeLevels({ db }: Deps, { userId }: Caller): Promise<OwnNoticeLevels> {
  const row = await findUser(db, userId);
  if (!row) throw notFound('User');
  return presentLevels(row);
}

type Choice = RequestOf<typeof setContract>['params'] & RequestOf<typeof setContract>['body'];

/** Idempotent. Other services decide what the user may see, so whether the resource exists does not matter. */
export async function setNoticeLevel({ db }: Deps, { userId }: Caller, choice: Choice): Promise<OwnNoticeLevels> {
  const after = await changePreferences(db, userId, {
    label: 'your notification settings',
    present: presentLevels,
    change: (before) => ({ noticeLevels: withLevel(presentLevels(before).levels, choice) }),
  });
  return presentLevels(after);
}

const presentLevels = ({ preferences }: UserRow): OwnNoticeLevels => ({ levels: preferences.noticeLevels ?? [] });

function withLevel(levels: NoticeLevels, { resource, id, level }: Choice): NoticeLevels {
  const others = levels.filter((chosen) => chosen.id !== id);
  if (level === 'all') return others;
  if (others.length >= MAX_NOTICE_LEVELS)
    throw new AppError('conflict', `You can choose this for at most ${MAX_NOTICE_LEVELS} items`);
  return [...others, { resource, id, level }];
}
