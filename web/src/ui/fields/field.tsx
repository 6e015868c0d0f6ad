import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { css, styled } from 'styled-components';
import { captionStyles } from '../mixins.ts';
import { theme } from '../theme.ts';
import { visuallyHiddenStyles } from '../visually-hidden.tsx';

/** A form binds `value`, `onChange`, `onBlur`, `name`, `ref`, and `error` (`lib/forms/form-field.tsx`). */
export type FieldProps<Value> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur?: (() => void) | undefined;
  name?: string | undefined;
  error?: string | undefined;
  description?: ReactNode;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  isLabelHidden?: boolean | undefined;
};

export function FieldHint({ error, description }: { error?: string | undefined; description?: ReactNode }) {
  if (error)
    return (
      <ErrorText slot="errorMessage" elementType="span">
        {error}
      </ErrorText>
    );
  if (description) return <HintText slot="description">{description}</HintText>;
  return null;
}

type FieldLabelProps = { label: string; isRequired?: boolean | undefined; isHidden?: boolean | undefined };

export function FieldLabel({ label, isRequired, isHidden }: FieldLabelProps) {
  return (
    <StyledLabel $hidden={isHidden}>
      {label}
      <RequiredMark isRequired={isRequired} />
    </StyledLabel>
  );
}

/**
 * An asterisk drawn in CSS, so that it is not part of the label; assistive technology reads `required` from the input.
 */
export function RequiredMark({ isRequired }: { isRequired?: boolean | undefined }) {
  return isRequired ? <Star aria-hidden="true" /> : null;
}

export const fieldStack = css`
  display: flex;
  flex-direction: column;
  gap: 6px;
  min-width: 0;
`;

export const labelStyles = css<{ $hidden?: boolean | undefined }>`
  font: 500 ${theme.text.sm};
  color: ${theme.color.text};
  ${({ $hidden }) => $hidden && visuallyHiddenStyles}
`;

export function groupProps<Value>(field: FieldProps<Value>) {
  const {
    label: _label,
    value: _value,
    onChange: _onChange,
    onBlur: _onBlur,
    error,
    description: _description,
    isRequired = false,
    isLabelHidden: _isLabelHidden,
    ...rest
  } = field;
  return { ...withoutUndefined(rest), isRequired, isInvalid: Boolean(error), validationBehavior: 'aria' as const };
}

/** React Aria's props reject an explicit `undefined`. */
export function withoutUndefined<T extends object>(props: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

export const controlStyles = css`
  width: 100%;
  min-width: 0;
  min-height: ${theme.control};
  padding: 7px 12px;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  box-shadow: ${theme.shadow.low};
  transition: border-color ${theme.motion.fast};

  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  &[data-focused] {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -1px;
    border-color: ${theme.color.accent};
  }
  &[data-invalid] {
    border-color: ${theme.color.danger};
  }
  &[data-invalid][data-focused] {
    outline-color: ${theme.color.danger};
  }
  &[readonly] {
    background: ${theme.color.sunken};
    color: ${theme.color.text2};
    box-shadow: none;
  }
  &[data-disabled] {
    background: ${theme.color.sunken};
    color: ${theme.color.text3};
    box-shadow: none;
    cursor: not-allowed;
  }
`;

/** Styles of a search field, which has space for an icon before the text and a button after it. */
export const searchInputStyles = css`
  ${controlStyles}
  padding-inline: 36px;
  text-overflow: ellipsis;
  &::-webkit-search-cancel-button {
    display: none;
  }
`;

export const searchIconStyles = css`
  position: absolute;
  inset-inline-start: 12px;
  top: calc(50% - 8px);
  width: 16px;
  height: 16px;
  color: ${theme.color.text3};
  pointer-events: none;
`;

const StyledLabel = styled(Label)<{ $hidden?: boolean | undefined }>`
  ${labelStyles}
`;

const ErrorText = styled(Text)`
  font: ${theme.text.sm};
  color: ${theme.color.danger};
`;

const HintText = styled(Text)`
  ${captionStyles}
`;

const Star = styled.span`
  &::after {
    content: ' *';
  }
  color: ${theme.color.danger};
`;
