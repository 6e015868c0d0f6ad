import { countPeople } from '#entities/user/user-labels.ts';

type Props = { participantCount: number; purpose: string };

/** '12 members · What the channel is about' */
export function ChannelCaption({ participantCount, purpose }: Props) {
  return (
    <>
      {countPeople(participantCount, 'member')}
      {purpose && (
        <>
          {' · '}
          <bdi>{purpose}</bdi>
        </>
      )}
    </>
  );
}
