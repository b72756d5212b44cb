import { useQuery } from '@tanstack/react-query'
import { similarTravelers } from '@tour-ops/contract/travelers/travelers'
import { useFormState, useWatch } from 'react-hook-form'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import type { SectionProps } from './traveler-fields.tsx'
import { useDebounced } from '../../ui/settled-value.ts'

const becauseLabels = {
  name: m.travelers_similar_name,
  email: m.travelers_similar_email,
  phone: m.travelers_similar_phone,
}

/** Names people who may be the same before a second profile is made. */
export function SimilarPeople({ form, exceptId }: SectionProps & { exceptId: string | undefined }) {
  const [firstName, lastName, email, phone] = useWatch({
    control: form.control,
    name: ['firstName', 'lastName', 'email', 'phone'],
  })
  const { isDirty } = useFormState({ control: form.control })
  const asked = useDebounced({
    firstName: firstName || null,
    lastName: lastName || null,
    email: email || null,
    phone: phone || null,
  })
  const isWorthAsking = (asked.lastName?.length ?? 0) >= 3 || Boolean(asked.email) || Boolean(asked.phone)
  const { data } = useQuery({
    ...callQuery(similarTravelers, { ...asked, ...(exceptId && { exceptId }) }),
    enabled: isWorthAsking && isDirty,
  })
  if (!data?.travelers.length) return null
  return (
    <Banner tone="warn" title={m.travelers_similar_title()}>
      <ul>
        {data.travelers.map((person) => (
          <li key={person.id}>
            <a className="link" href={`/travelers/details/${person.id}`} target="_blank" rel="noreferrer">
              {m.travelers_similar_open({ name: person.name })}
            </a>{' '}
            <span className="text-ink-2">({person.because.map((reason) => becauseLabels[reason]()).join(', ')})</span>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
