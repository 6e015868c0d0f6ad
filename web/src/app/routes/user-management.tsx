import { Page } from '../../ui/page.tsx';

export default function UserManagement() {
  return <Page title="User Management">.</Page>;
}
