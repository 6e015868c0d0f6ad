import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '#lib/number-formats.ts';

export const STATUSES = ['active', 'invited', 'inactive'] as const;

type Counts = Readonly<Record<(typeof STATUSES)[number], number>>;

/** The numbers of people by status. Each links to the list that it counts. */
export function UsersNow({ counts }: { counts: Counts }) {
  return (
    <bdi>
      Now:{' '}
      {STATUSES.map((status, index) => {
        const to = listPath(status, counts);
        const text = `${formatNumber(counts[status])} ${status}`;
        return (
          <Fragment key={status}>
            {index > 0 && ', '}
            {to === undefined ? text : <Link to={to}>{text}</Link>}
          </Fragment>
        );
      })}
    </bdi>
  );
}

/** The list of inactive people includes those who were invited. */
function listPath(status: keyof Counts, counts: Counts): string | undefined {
  if (counts[status] === 0) return undefined;
  if (status === 'active') return '/user-management?status=active';
  if (status === 'invited') return '/user-management?tab=invitations';
  return counts.invited === 0 ? '/user-management?status=inactive' : undefined;
}
