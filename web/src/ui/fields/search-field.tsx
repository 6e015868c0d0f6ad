import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { styled } from 'styled-components';
import { fieldButtonStyles } from '../icon-button.tsx';
import { hiddenInPrint } from '../mixins.ts';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';
import { searchIconStyles, searchInputStyles } from './field.tsx';

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
};

export function SearchField({ label, placeholder = label, ref, ...rest }: Props) {
  return (
    // Without a handler Enter would submit the surrounding form.
    <Root {...rest} onSubmit={noop}>
      <Label>
        <VisuallyHidden>{label}</VisuallyHidden>
      </Label>
      <SearchIcon aria-hidden="true" />
      <Control dir="auto" ref={ref ?? null} placeholder={placeholder} />
      <Clear aria-label="Clear search">
        <X />
      </Clear>
    </Root>
  );
}

const noop = () => undefined;

const Root = styled(AriaSearchField)`
  position: relative;
  min-width: 0;
  flex: 1 1 220px;
  &[data-empty] button {
    display: none;
  }
  ${hiddenInPrint}
`;

const SearchIcon = styled(Search)`
  ${searchIconStyles}
`;

const Control = styled(Input)`
  ${searchInputStyles}
  /* The direction of an empty field is left to right, also in a right-to-left interface. */
  [data-empty]:dir(ltr) > & {
    padding-inline-end: 12px;
  }
  ${theme.media.small} {
    &::placeholder {
      font-size: 15px;
    }
  }
`;

const Clear = styled(Button)`
  ${fieldButtonStyles}
  position: absolute;
  inset-block: 2px;
  inset-inline-end: 2px;
  width: 34px;
`;
