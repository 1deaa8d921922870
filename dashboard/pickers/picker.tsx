/** A searchable list that starts with what was chosen last. */
import { pickerTexts } from '../shell/texts.ts'
import { Combobox, type ComboboxProps } from './combobox.tsx'
import { recentFirst } from './search-choices.ts'
import { type PickerKind, useRecent } from './use-recent.ts'

interface PickerProps extends Omit<ComboboxProps, 'idleChoices'> {
  kind: PickerKind
}

export function Picker({ kind, choices, onChoose, ...rest }: PickerProps) {
  const [recent, remember] = useRecent(kind)
  return (
    <Combobox
      {...rest}
      choices={choices}
      idleChoices={recentFirst(choices, recent, pickerTexts)}
      onChoose={(value) => {
        // Text that is typed becomes a recent choice only if it is one of the choices.
        if (value !== '' && choices.some((choice) => choice.value === value)) remember(value)
        onChoose(value)
      }}
    />
  )
}
