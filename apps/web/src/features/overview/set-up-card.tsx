import { setUpOrganization } from '@tour-ops/contract/settings/settings'
import { useState } from 'react'
import type { Town } from '../../backend/gazetteer.ts'
import { TownField } from '../places/index.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { viewerZone } from '../../ui/format.ts'
import { timeZones, zoneOption } from '../../ui/time-zones.ts'

const option = (value: string) => ({ value, label: value })
const currencies = (): string[] => Intl.supportedValuesOf('currency')

/** Asks a new organization once where it works; everything else depends on its clock and its money. */
export function SetUpCard() {
  const [timeZone, setTimeZone] = useState(viewerZone)
  const [currency, setCurrency] = useState('EUR')
  const [base, setBase] = useState<Town | null>(null)
  const save = useCall(setUpOrganization, {
    // Clock and currency are read at the start of the program.
    onSuccess: () => location.reload(),
  })
  return (
    <section className="card p-4" aria-labelledby="set-up-title">
      <h2 id="set-up-title" className="text-base font-semibold">
        {m.overview_set_up_title()}
      </h2>
      <p className="text-ink-2">{m.overview_set_up_text()}</p>
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        <TownField
          label={m.overview_set_up_base()}
          hint={m.overview_set_up_base_hint()}
          chosen={base}
          onChoose={setBase}
        />
        <Field label={m.overview_set_up_zone()}>
          <Combobox
            options={timeZones().map(zoneOption)}
            value={zoneOption(timeZone)}
            onChange={(chosen) => chosen && setTimeZone(chosen.value)}
          />
        </Field>
        <Field label={m.overview_set_up_currency()} hint={m.overview_set_up_currency_hint()}>
          <Combobox
            options={currencies().map((code) => option(code))}
            value={option(currency)}
            onChange={(chosen) => chosen && setCurrency(chosen.value)}
          />
        </Field>
      </div>
      {save.error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {refusalText(save.error)}
        </p>
      )}
      <Button
        variant="primary"
        className="mt-4"
        pending={save.isPending}
        onClick={() =>
          save.mutate({
            timeZone,
            currency,
            base: base && { name: base.name, lat: base.lat, lng: base.lng },
          })
        }
      >
        {m.overview_set_up_save()}
      </Button>
    </section>
  )
}
