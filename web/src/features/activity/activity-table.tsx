import { styled } from 'styled-components';
import { actionLabel, addressText, detailsText, subjectText, type ActivityEntry } from '#entities/activity/activity.ts';
import { displayName } from '#entities/user/person.ts';
import { Text, TwoLineText } from '#ui/layout/primitives.ts';
import { type Column, Table } from '#ui/pages/table.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

const COLUMNS: Column<ActivityEntry>[] = [
  { key: 'time', header: 'Time', width: '150px', isSecondary: true, cell: ({ at }) => <RelativeTime time={at} /> },
  { key: 'action', header: 'Action', width: '34%', cell: (entry) => <Action entry={entry} /> },
  { key: 'actor', header: 'By', width: '22%', cell: (entry) => <Actor entry={entry} /> },
  {
    key: 'target',
    header: 'About',
    isSecondary: true,
    cell: ({ target }) => target.title || <Text $tone="text3">–</Text>,
  },
  {
    key: 'address',
    header: 'Address',
    width: '150px',
    isSecondary: true,
    cell: (entry) => addressText(entry) ?? <Text $tone="text3">–</Text>,
  },
];

export function ActivityTable({ entries }: { entries: readonly ActivityEntry[] }) {
  return <Table label="Activity" columns={COLUMNS} rows={entries} keyOf={({ _id }) => _id} />;
}

function Action({ entry }: { entry: ActivityEntry }) {
  const details = detailsText(entry);
  return (
    <TwoLineText>
      <strong>
        {actionLabel(entry.action)} {entry.outcome === 'failed' && <Pill tone="danger">Failed</Pill>}
        {entry.outcome === 'denied' && <Pill tone="warning">Denied</Pill>}
      </strong>
      {details && <small title={details}>{details}</small>}
      <PhoneTime>
        <RelativeTime time={entry.at} />
      </PhoneTime>
    </TwoLineText>
  );
}

/** The actor; for a failed sign-in, the email that was entered. */
function Actor({ entry }: { entry: ActivityEntry }) {
  const { actor, email } = entry;
  return (
    <TwoLineText>
      <strong dir="auto">
        {actor ? displayName(actor) : (subjectText(entry) ?? <Text $tone="text3">Unknown</Text>)}
      </strong>
      {actor && email && <small title={email}>{email}</small>}
    </TwoLineText>
  );
}

const PhoneTime = styled.small`
  && {
    display: none;
  }
  ${theme.media.small} {
    && {
      display: block;
    }
  }
`;
