import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { currentAccounts } from '../accounts-port.ts'
import { FormProblem } from './identity-card.tsx'
import { problemsIn } from './identity-errors.ts'
import { goToTarget, useRedirectTargets } from './redirects.ts'
import { slugOf } from './slug.ts'
import { useAttempt } from './use-attempt.ts'

/** Name and short name of a new organization; its creator becomes its administrator. */
export function CreateOrganizationForm() {
  const { afterCreateOrganization } = useRedirectTargets()
  const [name, setName] = useState('')
  /** Null while it follows the name. */
  const [slug, setSlug] = useState<string | null>(null)
  const attempt = useAttempt({
    fields: ['name', 'slug'],
    check: (values) =>
      problemsIn({
        name: values.name.trim() === '' ? m.identity_organization_name_empty() : undefined,
        slug: slugOf(values.slug) === '' ? m.identity_slug_invalid() : undefined,
      }),
    act: async (values) => {
      await currentAccounts().createOrganization({ name: values.name.trim(), slug: values.slug })
      goToTarget(afterCreateOrganization)
    },
  })
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={attempt.submit}>
      <Field label={m.identity_organization_name()} error={attempt.problems.name}>
        <TextInput
          name="name"
          autoComplete="organization"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={m.identity_slug()} hint={m.identity_slug_hint()} error={attempt.problems.slug}>
        <TextInput
          name="slug"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={slug ?? slugOf(name)}
          onChange={(event) => setSlug(event.target.value === '' ? null : event.target.value)}
        />
      </Field>
      <FormProblem>{attempt.problems.form}</FormProblem>
      <div className="mt-1 flex gap-2">
        <Button type="submit" variant="primary" className="flex-1" pending={attempt.isPending}>
          {m.identity_create_organization()}
        </Button>
        <Link to="/organizations" className={buttonClass({ variant: 'ghost' })}>
          {m.identity_cancel()}
        </Link>
      </div>
    </form>
  )
}
