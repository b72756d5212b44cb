import { StrictMode, useEffect, useState, type ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { followOfficeFormats } from './features/duty/components/office-formats.ts'
import { startSunlight } from './features/duty/components/sunlight.ts'
import { DutyApp } from './features/duty/screens/duty-app.tsx'
import type { Office } from './features/duty/store/office.ts'
import { openPhoneDatabase } from './features/duty/store/phone-database.ts'
import { phoneStorage } from './features/duty/store/phone-storage.ts'
import { storedPositions, memoryPositions } from './features/duty/store/position-storage.ts'
import { providePhone } from './features/duty/store/phone.ts'
import { makePositions } from './features/duty/store/positions.ts'
import { makeSending } from './features/duty/store/sending.ts'
import { linkWorker } from './features/duty/store/worker-link.ts'
import { applyLocale } from './ui/locale.ts'
import { startTheme } from './ui/theme.ts'
import './ui/app.css'

// The entry of the guide's phone (`/duty`). What reaches the office is loaded when there is a network; everything else is here.
applyLocale()
startTheme()
startSunlight()

let opening: Promise<Office> | undefined
const officeOpened = new Set<(office: Office) => void>()

/** The same for everybody who asks; tried again after a failure, since its code may not have come. */
function office(): Promise<Office> {
  opening ??= import('./features/duty/store/office.ts')
    .then(({ openOffice }) => openOffice())
    .then((opened) => {
      for (const tell of officeOpened) tell(opened)
      return opened
    })
    .catch((error: unknown) => {
      opening = undefined
      throw error
    })
  return opening
}

/** What an identity service needs on the page. A sibling of the screens, not a wrapper: they stay as they are when it arrives. */
function OfficeRoot() {
  const [Root, setRoot] = useState<ComponentType | null>(null)
  useEffect(() => {
    const tell = ({ Root: found }: Office) => setRoot(() => found)
    officeOpened.add(tell)
    return () => void officeOpened.delete(tell)
  }, [])
  return Root && <Root />
}

/** A run sheet link opens the page with its token behind the hash, which no server sees; the address keeps nothing of it. */
function takeLinkToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('link')
  if (token !== null) history.replaceState(null, '', location.pathname)
  return token
}

async function start(): Promise<void> {
  const linkToken = takeLinkToken()
  const database = await openPhoneDatabase()
  const storage = phoneStorage(database)
  let wake = (): void => undefined
  const sending = makeSending({ storage, office, linkToken, onWaiting: () => wake() })
  wake = linkWorker(() => void sending.refresh())
  const positions = makePositions({
    storage: database ? storedPositions(database) : memoryPositions(),
    office,
    owner: () => sending.owner(),
  })
  providePhone({ ...sending, reportHere: () => positions.reportHere() })
  await sending.start()
  followOfficeFormats()
  positions.start()
  const element = document.getElementById('root')
  if (!element) throw new Error('duty.html has no element with the id "root"')
  createRoot(element).render(
    <StrictMode>
      <DutyApp />
      <OfficeRoot />
    </StrictMode>,
  )
}

void start()
