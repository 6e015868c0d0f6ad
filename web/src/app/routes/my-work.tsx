import { MyWork } from '#features/my-work/my-work.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { formatTime } from '#lib/time/formats.ts';
import { Page } from '#ui/pages/page.tsx';

export default function MyWorkScreen() {
  const now = useNow();
  return (
    <Page title="My Work" subtitle={formatTime(now, { weekday: 'long', day: 'numeric', month: 'long' })}>
      <MyWork />
    </Page>
  );
}
