import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'
import { retryStartup } from './startup-control.ts'

/** The sign-in service does not answer: words and a button, under the bar. See docs/screens.md, "Start and sign-in". */
export function Connecting({ waitedMs }: { waitedMs: number }) {
  const [isTrying, setTrying] = useState(false)
  const tryAgain = async () => {
    setTrying(true)
    await retryStartup()
    setTrying(false)
  }
  return (
    <div className="w-full max-w-[500px]">
      <div role="status">
        <h1 className="text-xl font-semibold tracking-tight">{m.app_still_connecting()}</h1>
      </div>
      <p className="num mt-1">{m.app_still_connecting_text({ seconds: Math.round(waitedMs / 1000) })}</p>
      <div className="mt-5 flex gap-2">
        <Button icon={RotateCw} pending={isTrying} onClick={() => void tryAgain()}>
          {m.app_try_again_now()}
        </Button>
      </div>
      <p className="mt-6 text-xs text-ink-2">{m.app_still_connecting_help()}</p>
    </div>
  )
}
