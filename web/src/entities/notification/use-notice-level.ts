import type { listNoticeLevels, setNoticeLevel } from '@atrium/proto-events/http/notices/levels';
import type { NoticeLevel } from '@atrium/proto-events/notices/kinds';
import type { LevelResource } from '@atrium/proto-events/notices/levels';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { call } from '#lib/api/api.ts';
import { keyOf, useRead } from '#lib/query/use-read.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';

export type Leveled = { resource: LevelResource; id: string };

const PATH = 'GET /users/profile/notices/levels';

/** The level is undefined until it is known. A choice is shown at once, and reverted if it cannot be saved. */
export function useNoticeLevel({ resource, id }: Leveled) {
  const { data } = useRead<typeof listNoticeLevels>(PATH, {});
  const { mutate } = useSWRConfig();
  const [chosen, setChosen] = useState<NoticeLevel>();
  const saved = data && (data.levels.find((level) => level.id === id)?.level ?? 'all');
  const choose = async (level: NoticeLevel) => {
    setChosen(level);
    try {
      const params = { resource, id };
      const levels = await call<typeof setNoticeLevel>('PUT /users/profile/notices/levels/:resource/:id', {
        params,
        body: { level },
      });
      await mutate(keyOf<typeof listNoticeLevels>(PATH, {}), levels, { revalidate: false });
    } catch (error) {
      showErrorToast(error, 'Failed to change notifications');
    } finally {
      setChosen(undefined);
    }
  };
  return { level: chosen ?? saved, choose: (level: NoticeLevel) => void choose(level) };
}
