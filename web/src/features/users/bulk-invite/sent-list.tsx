import { CircleCheck, Copy, Download } from 'lucide-react';
import Papa from 'papaparse';
import { styled } from 'styled-components';
import { displayName } from '#entities/user/user-labels.ts';
import { Button } from '#ui/button.tsx';
import { DividedList, Inline } from '#ui/layout/primitives.ts';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import type { SentInvitation } from './use-send-invitations.ts';

type InvitationLink = Pick<SentInvitation, 'email' | 'firstName' | 'lastName' | 'inviteUrl'>;

const REVOKE_AFTER_MS = 10_000;

const linksAsText = (invitations: readonly InvitationLink[]): string =>
  invitations.map(({ email, inviteUrl }) => `${email}\t${inviteUrl}`).join('\n');

/**
 * Includes a byte order mark, so that Excel recognizes UTF-8, and escapes cells that a spreadsheet would run as formulas.
 */
export function linksAsCsv(invitations: readonly InvitationLink[]): string {
  const rows = invitations.map(({ email, firstName, lastName, inviteUrl }) => [email, firstName, lastName, inviteUrl]);
  const table = { fields: ['Email', 'First name', 'Last name', 'Invitation link'], data: rows };
  return `\uFEFF${Papa.unparse(table, { escapeFormulae: true })}`;
}

function downloadLinks(invitations: readonly InvitationLink[]): void {
  const address = URL.createObjectURL(new Blob([linksAsCsv(invitations)], { type: 'text/csv' }));
  const link = window.document.createElement('a');
  link.href = address;
  link.download = 'invitations.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
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
          <Button size="sm" icon={<Download />} onPress={() => downloadLinks(invitations)}>
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
