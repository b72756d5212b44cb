import { type DueCondition, dueConditions, RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { m } from '../../paraglide/messages.js'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { issueText } from '../../ui/form/form-errors.ts'

/** Conditions as somebody types them: an empty size is no limit, anything else stays until it is corrected. */
interface TypedConditions {
  readonly atLeast: string
  readonly atMost: string
  readonly owes: DueCondition
}

export const typedConditions = ({ atLeast, atMost, owes }: RuleConditions): TypedConditions => ({
  atLeast: atLeast === null ? '' : String(atLeast),
  atMost: atMost === null ? '' : String(atMost),
  owes,
})

const sizeOf = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))

type ReadConditions = ReturnType<typeof readConditions>

/** As the server reads them, with what it would refuse. */
export const readConditions = ({ atLeast, atMost, owes }: TypedConditions) =>
  RuleConditions.safeParse({ atLeast: sizeOf(atLeast), atMost: sizeOf(atMost), owes })

export function problemOf({ error }: ReadConditions, field: keyof TypedConditions): string | undefined {
  const issue = error?.issues.find(({ path }) => path[0] === field)
  return issue && issueText(issue)
}

const dueLabels: Readonly<Record<DueCondition, () => string>> = {
  any: m.notifications_rules_due_any,
  something: m.notifications_rules_due_something,
  nothing: m.notifications_rules_due_nothing,
}

interface ConditionFieldsProps {
  typed: TypedConditions
  onChange: (typed: TypedConditions) => void
  /** A size was left: what is wrong with it may be said. */
  onLeave: () => void
  problem: (field: keyof TypedConditions) => string | undefined
}

/** Size of the party, and what is due of it. */
export function ConditionFields({ typed, onChange, onLeave, problem }: ConditionFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field
          label={m.notifications_rules_who_least()}
          hint={m.notifications_rules_who_size_hint()}
          error={problem('atLeast')}
        >
          <TextInput
            className="num"
            inputMode="numeric"
            value={typed.atLeast}
            onChange={({ target }) => onChange({ ...typed, atLeast: target.value })}
            onBlur={onLeave}
          />
        </Field>
        <Field
          label={m.notifications_rules_who_most()}
          hint={m.notifications_rules_who_size_hint()}
          error={problem('atMost')}
        >
          <TextInput
            className="num"
            inputMode="numeric"
            value={typed.atMost}
            onChange={({ target }) => onChange({ ...typed, atMost: target.value })}
            onBlur={onLeave}
          />
        </Field>
      </div>
      <Field label={m.notifications_rules_who_due()} hint={m.notifications_rules_who_due_hint()}>
        <Select
          value={typed.owes}
          options={dueConditions.map((value) => ({ value, label: dueLabels[value]() }))}
          onChange={({ target }) => onChange({ ...typed, owes: target.value as DueCondition })}
        />
      </Field>
    </>
  )
}
