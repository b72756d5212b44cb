import { roles, type Role } from '@tour-ops/contract/identity/access'
import {
  getSecuritySettings,
  type SecuritySettings,
  updateSecuritySettings,
} from '@tour-ops/contract/settings/settings'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { returnParameter } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { roleName } from '../../identity/role-name.ts'
import { useScreenQuery } from '../../app/screen-query.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { accountSecurity } from '../../identity/account-security-port.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { secondFactorFields } from './second-factor-fields.ts'
import type { OwnSection } from './settings-editor.tsx'

/** For which roles a second factor is required, and from when; for administrators, where our own server keeps accounts. */
export function useSecondFactorSection(): OwnSection | undefined {
  if (!useSecondFactorRule()) return undefined
  return {
    key: 'second-factor',
    title: m.settings_factor(),
    fields: secondFactorFields,
    render: (onUnsaved) => <Rule onUnsaved={onUnsaved} />,
  }
}

/** Whether the reader may set the rule, and our own server keeps the accounts. */
export const useSecondFactorRule = (): boolean => useAccess().can('members:manage') && accountSecurity() !== undefined

type OnUnsaved = (isUnsaved: boolean) => void

function Rule({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const titleId = useId()
  const { data } = useScreenQuery(callQuery(getSecuritySettings, {}))
  return (
    <section className="card scroll-mt-20" id="second-factor" aria-labelledby={titleId}>
      <div className="border-b border-line px-4 py-3 lg:px-5">
        <h2 id={titleId} className="text-base font-semibold">
          {m.settings_factor()}
        </h2>
        <p className="text-ink-2">{m.settings_factor_text()}</p>
      </div>
      {data ? (
        <RuleForm
          key={JSON.stringify(data.settings)}
          version={data.version}
          saved={data.settings}
          onUnsaved={onUnsaved}
        />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </section>
  )
}

interface RuleFormProps {
  version: number
  saved: SecuritySettings
  onUnsaved: OnUnsaved
}

function RuleForm({ version, saved, onUnsaved }: RuleFormProps) {
  const cache = useQueryClient()
  const [rule, setRule] = useState(saved)
  const save = useCall(updateSecuritySettings, {
    onSuccess: (stored) => {
      cache.setQueryData(callQuery(getSecuritySettings, {}).queryKey, stored)
      toast(m.settings_saved())
    },
  })
  const toggle = (role: Role) => {
    const chosen = rule.secondFactorRoles.includes(role)
      ? rule.secondFactorRoles.filter((one) => one !== role)
      : [...rule.secondFactorRoles, role]
    setRule({
      secondFactorRoles: chosen,
      secondFactorFrom: chosen.length === 0 ? null : rule.secondFactorFrom,
    })
  }
  const isChanged =
    rule.secondFactorFrom !== saved.secondFactorFrom ||
    [...rule.secondFactorRoles].toSorted().join() !== [...saved.secondFactorRoles].toSorted().join()
  const problems = save.error?.details.fieldIssues
  const rolesProblem = entryProblem(save.error, 'settings.secondFactorRoles')
  // a person sent to set up their own factor leaves the page and starts over
  const isUnsaved = isChanged && rolesProblem === undefined
  useEffect(() => {
    onUnsaved(isUnsaved)
    return () => onUnsaved(false)
  }, [isUnsaved, onUnsaved])
  const dayProblem = entryProblem(save.error, 'settings.secondFactorFrom')
  return (
    <div className="flex flex-col gap-4 px-4 py-3 lg:px-5">
      <fieldset>
        <legend className="mb-2 font-medium text-ink-strong">{m.settings_factor_roles()}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {roles.map((role) => (
            <Checkbox
              key={role}
              label={roleName(role)}
              checked={rule.secondFactorRoles.includes(role)}
              onChange={() => toggle(role)}
            />
          ))}
        </div>
      </fieldset>
      {rolesProblem !== undefined && (
        <Banner tone="bad" role="alert">
          {rolesProblem}{' '}
          <Link
            to={paths.secondFactor()}
            search={{ [returnParameter]: `${paths.settingsGeneral()}#second-factor` }}
            className="link"
          >
            {m.app_second_factor_set_up()}
          </Link>
        </Banner>
      )}
      {rule.secondFactorRoles.length > 0 && (
        <Field label={m.settings_factor_from()} hint={m.settings_factor_from_hint()} error={dayProblem}>
          <DateInput
            className="sm:w-[200px]"
            value={rule.secondFactorFrom ?? ''}
            passText
            onChange={(day) => setRule({ ...rule, secondFactorFrom: day || null })}
          />
        </Field>
      )}
      {save.error && !problems && (
        <Banner tone="bad" role="alert">
          {refusalText(save.error)}
        </Banner>
      )}
      <div>
        <Button
          variant="primary"
          pending={save.isPending}
          disabled={!isChanged}
          onClick={() => save.mutate({ version, settings: rule })}
        >
          {m.settings_factor_save()}
        </Button>
      </div>
    </div>
  )
}
