import { setFormatRegion } from '../../../ui/format.ts'
import { usePhone } from '../store/phone.ts'

/** Writes times as the organization does, from what the phone keeps. Call it once, before the first render. Returns how to stop. */
export function followOfficeFormats(): () => void {
  let last = ''
  const apply = () => {
    const office = usePhone.getState().day?.organization
    const now = office ? `${office.timeZone} ${office.timeFormat}` : ''
    if (!office || now === last) return
    last = now
    setFormatRegion({ firstWeekday: null, units: 'metric', timeZone: office.timeZone, timeFormat: office.timeFormat })
  }
  apply()
  return usePhone.subscribe(apply)
}
