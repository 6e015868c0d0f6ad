import { CircleCheck, Copy, Download } from 'lucide-react';
import { styled } from 'styled-components';
import { displayName } from '#entities/user/user-labels.ts';
import { downloadCsv } from '#lib/csv.ts';
import { Button } from '#ui/button.tsx';
import { DividedList, Inline } from '#ui/layout/primitives.ts';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import type { SentInvitation } from './use-send-invitations.ts';

type InvitationLink = Pick<SentInvitation, 'email' | 'firstName' | 'lastName' | 'inviteUrl'>;

const linksAsText = (invitations: readonly InvitationLink[]): string =>
  invitations.map(({ email, inviteUrl }) => `${email}\t${inviteUrl}`).join('\n');

const CSV_HEADER = ['Email', 'First name', 'Last name', 'Invitation link'];

async function downloadLinks(invitations: readonly InvitationLink[]): Promise<void> {
  const rows = invitations.map(({ email, firstName, lastName, inviteUrl }) => [email, firstName, lastName, inviteUrl]);
  try {
    await downloadCsv('invitations.csv', CSV_HEADER, rows);
  } catch {
    showError('Failed to download the links', 'Please check the connection and try again.');
  }
}

export function SentList({ invitations }: { invitations: readonly SentInvitation[] }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(linksAsText(invitations));
      showSuccess('Invitation links copied');
    } catch {
      // The clipboard is unavailable over plain HTTP.
      showError('Links not copied', 'The browser did not allow copying. Please download the links instead.');
    }
  };
  return (
    <Section aria-label="Invited people">
      <Head>
        <p>
          The email with the link is on its way. Each link can be used once, and is available only here. “Resend” under
          Pending invitations creates a new one.
        </p>
        <Inline $gap={2} $wraps>
          <Button size="sm" icon={<Copy />} onPress={() => void copy()}>
            Copy links
          </Button>
          <Button size="sm" icon={<Download />} onPress={() => void downloadLinks(invitations)}>
            Download links
          </Button>
        </Inline>
      </Head>
      <Rows>
        {invitations.map((invitation) => (
          <li key={invitation._id}>
            <CircleCheck aria-hidden="true" />
            <span>
              <strong dir="auto">{displayName({ ...invitation, _id: invitation.user })}</strong>{' '}
              <span dir="auto">{invitation.email}</span>
            </span>
            <em>Invited</em>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

const Section = styled.section`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[3]};
  flex: none;
`;

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]};
  p {
    flex: 1 1 260px;
    ${captionStyles}
  }
`;

const Rows = styled(DividedList)`
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  overflow-wrap: anywhere;
  > li {
    ${inlineStyles(3)}
    padding: ${theme.space[2]} ${theme.space[4]};
  }
  > li > span {
    flex: 1;
    min-width: 0;
  }
  strong {
    font-weight: 500;
  }
  strong + span {
    ${captionStyles}
  }
  em {
    font: ${theme.text.sm};
    color: ${theme.color.success};
  }
  svg {
    flex: none;
    width: 16px;
    height: 16px;
    color: ${theme.color.success};
  }
`;
