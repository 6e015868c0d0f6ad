import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { styled } from 'styled-components';
import { RESPONSES } from '#entities/meeting/meeting-labels.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { countPeople, displayName } from '#entities/user/person.ts';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';

/** The participants with their responses. */
export function ParticipantList({ meeting }: { meeting: Meeting }) {
  const { participants, organizer } = meeting;
  const accepted = participants.filter(({ responseStatus }) => responseStatus === 'accepted').length;
  return (
    <section aria-label="Participants">
      <Head>
        <h3>{countPeople(participants.length, 'participant')}</h3>
        <span>{accepted} accepted</span>
      </Head>
      <ul>
        {participants.map((person) => {
          const { label, tone } = RESPONSES[person.responseStatus];
          return (
            <Row key={person._id}>
              <Avatar person={person} size={28} />
              <Name title={person.email} dir="auto">
                {displayName(person)}
              </Name>
              {person._id === organizer._id ? <Quiet>Organizer</Quiet> : <Pill tone={tone}>{label}</Pill>}
            </Row>
          );
        })}
      </ul>
    </section>
  );
}

const Head = styled.div`
  display: flex;
  justify-content: space-between;
  margin-bottom: ${theme.space[1]};
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  font-variant-numeric: tabular-nums;
  h3 {
    font: 500 ${theme.text.sm};
  }
`;

const Row = styled.li`
  display: grid;
  grid-template-columns: 28px minmax(0, 1fr) auto;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 44px;
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;

const Name = styled.span`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Quiet = styled.span`
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;
