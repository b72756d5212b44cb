import { setLateLimits } from '../../../app/late-limits.ts'
import { setFormatRegion } from '../../../ui/format.ts'
import { usePhone } from '../store/phone.ts'

/** Writes times as the organization does, and calls late what it calls late, from what the phone keeps. Call it once, before the first render. Returns how to stop. */
export function followOfficeFormats(): () => void {
  let last = ''
  const apply = () => {
    const office = usePhone.getState().day?.organization
    if (!office) return
    setLateLimits(office)
    const now = `${office.timeZone} ${office.timeFormat}`
    if (now === last) return
    last = now
    setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: office.timeZone, timeFormat: office.timeFormat })
  }
  apply()
  return usePhone.subscribe(apply)
}
