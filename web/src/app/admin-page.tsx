import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { canManageUsers } from '#entities/user/roles.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Page } from '#ui/pages/page.tsx';

type Props = {
  title: string;
  subtitle: string;
  /** What others read instead of the content. */
  denial: string;
  children: ReactNode;
};

/** A page for administrators, which they open from User Management. */
export function AdminPage({ title, subtitle, denial, children }: Props) {
  const isAllowed = canManageUsers(useCurrentUser());
  return (
    <Page
      title={title}
      subtitle={subtitle}
      actions={isAllowed && <ButtonLink to="/user-management">User Management</ButtonLink>}
    >
      {isAllowed ? children : <EmptyState icon={<ShieldAlert />} title={denial} />}
    </Page>
  );
}
