/** Blocks that are shown only to some recipients, depending on a value. */
import { GitFork } from 'lucide-react'
import { Checkbox, Input, Select } from '../../../ui/field.tsx'
import { type Comparison, type Operator, parseValue } from '../../document/document.ts'
import { VariableField } from '../../fields.tsx'
import { texts } from '../../texts.ts'
import type { BlockDefinition, BlockProps, ViewProps } from '../block.ts'
import { LogicFrame } from './logic-frame.tsx'

const T = texts.blocks.condition

const needsValue = (operator: Operator) => operator !== 'exists' && operator !== 'notExists'

const describe = ({ variable, operator, value }: Comparison) =>
  T.describe(variable, T.operators[operator], needsValue(operator) ? String(value ?? '') : '')

function ConditionView({ block, renderList }: ViewProps<'condition'>) {
  return (
    <LogicFrame icon={GitFork} label={describe(block.if)}>
      {renderList(`${block.id}.blocks`, block.blocks, T.content)}
      {block.otherwise && (
        <>
          <p className="px-3 pt-1 font-sans text-xs font-medium text-soft">{T.otherwise}</p>
          {renderList(`${block.id}.otherwise`, block.otherwise, T.otherwise)}
        </>
      )}
    </LogicFrame>
  )
}

function ConditionForm({ block, set }: BlockProps<'condition'>) {
  const { variable, operator, value } = block.if
  return (
    <>
      <VariableField
        label={T.variable}
        value={variable}
        onChange={(next) => set({ if: { ...block.if, variable: next ?? variable } })}
      />
      <Select
        label={T.operator}
        value={operator}
        options={T.operators}
        onChange={(event) => {
          const next = event.target.value as Operator
          set({
            if: needsValue(next) ? { variable, operator: next, value: value ?? '' } : { variable, operator: next },
          })
        }}
      />
      {needsValue(operator) && (
        <Input
          label={T.value}
          value={String(value ?? '')}
          maxLength={500}
          onChange={(event) => set({ if: { variable, operator, value: parseValue(event.target.value) } })}
        />
      )}
      <Checkbox
        label={T.hasOtherwise}
        checked={block.otherwise !== undefined}
        // Otherwise, the blocks in it could be lost without notice.
        disabled={(block.otherwise?.length ?? 0) > 0}
        onChange={(event) => set({ otherwise: event.target.checked ? [] : undefined })}
      />
    </>
  )
}

export const condition: BlockDefinition<'condition'> = {
  title: T.title,
  icon: GitFork,
  create: () => ({ if: { variable: 'plan', operator: 'exists' }, blocks: [] }),
  summary: (block) => describe(block.if),
  View: ConditionView,
  Form: ConditionForm,
}
