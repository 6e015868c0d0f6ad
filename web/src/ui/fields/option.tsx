import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { styled } from 'styled-components';
import { alignWithParent, captionStyles, ellipsis } from '../mixins.ts';
import { theme } from '../theme.ts';
import { CheckboxIndicator } from './checkbox-indicator.tsx';
import { rowStyles } from './row-styles.ts';

export type Option<Value extends string = string> = {
  value: Value;
  label: string;
  description?: string | undefined;
  /** Shown before the label, such as an avatar. */
  leading?: ReactNode;
  isDisabled?: boolean;
};

/** A row of a list box, with a checkbox in a list with multiple selection and otherwise with a check mark when selected. */
export function OptionRow({ option }: { option: Option }) {
  return (
    <Row id={option.value} textValue={option.label} isDisabled={option.isDisabled ?? false}>
      {({ isSelected, selectionMode }) => (
        <>
          {selectionMode === 'multiple' && <CheckboxIndicator isChecked={isSelected} />}
          {option.leading}
          <OptionText label={option.label} description={option.description} />
          {isSelected && selectionMode !== 'multiple' && <Check aria-hidden="true" />}
        </>
      )}
    </Row>
  );
}

type OptionTextProps = { label: string; description?: string | undefined };

export function OptionText({ label, description }: OptionTextProps) {
  return (
    <Texts>
      <Name dir="auto">{label}</Name>
      {description && <Detail>{description}</Detail>}
    </Texts>
  );
}

const Row = styled(ListBoxItem)`
  ${rowStyles}
`;

const Texts = styled.span`
  flex: 1;
  min-width: 0;
`;

const Name = styled.span`
  display: block;
  ${ellipsis}
`;

const Detail = styled(Name)`
  unicode-bidi: plaintext;
  ${alignWithParent}
  ${captionStyles}
`;

/** Escape closes the surrounding dialog or popover. */
export const OptionList = styled(ListBox).attrs({ escapeKeyBehavior: 'none' })`
  max-height: 320px;
  /* Overscroll would scroll the page, which closes the list. */
  overscroll-behavior: contain;
  overflow: auto;
  outline: none;
`;

export const NoOptions = styled.div`
  padding: ${theme.space[4]} ${theme.space[3]};
  text-align: center;
  color: ${theme.color.text2};
`;
