import { RadioGroup } from '#ui/fields/radio-group.tsx';
import type { Scope } from './use-meeting-actions.ts';

const OPTIONS = [
  { value: 'this', label: 'This meeting' },
  { value: 'following', label: 'This and following meetings' },
  { value: 'all', label: 'All meetings', description: 'Past meetings won’t change' },
] as const;

type Props = { label: string; value: Scope; onChange: (scope: Scope) => void; description?: string | undefined };

export function SeriesScopeField(props: Props) {
  return <RadioGroup<Scope> {...props} options={OPTIONS} />;
}
