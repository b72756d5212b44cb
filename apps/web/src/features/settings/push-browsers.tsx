import {
  addPushSubscription,
  listPushSubscriptions,
  type PushBrowser,
  removePushSubscription,
  testPushSubscription,
} from '@tour-ops/contract/notifications/push-subscriptions'
import { useEffect, useId, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { pushOfBrowser } from '../../identity/push-of-browser.ts'
import { deviceName } from '../../identity/widgets/security/device-name.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatPastAge } from '../../ui/format.ts'
import { useNow } from '../../ui/clock.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { canPush, PushRefused, subscribeBrowser } from './push-browser.ts'

/** In which browsers a person is notified although no page is open: this one is switched on here, others are listed. */
export function PushBrowsers() {
  const titleId = useId()
  const { data } = useScreenQuery(callQuery(listPushSubscriptions, {}))
  const { endpoint, look } = useEndpoint()
  const own = data?.browsers.find((browser) => browser.endpoint === endpoint)
  const others = data?.browsers.filter((browser) => browser.endpoint !== endpoint) ?? []
  return (
    <section className="border-t border-line px-4 py-3 lg:px-5" aria-labelledby={titleId}>
      <h3 id={titleId} className="font-semibold">
        {m.settings_push()}
      </h3>
      <p className="text-ink-2">{m.settings_push_text()}</p>
      {data ? (
        <ul className="mt-2 divide-y divide-line" aria-labelledby={titleId}>
          <ThisBrowser own={own} known={data.browsers} publicKey={data.publicKey} onChanged={look} />
          {others.map((browser) => (
            <OtherBrowser key={browser.id} browser={browser} />
          ))}
        </ul>
      ) : (
        <SkeletonRows rows={1} />
      )}
    </section>
  )
}

/** By which this browser is reached now; the browser does not say when that changes. */
function useEndpoint() {
  const [endpoint, setEndpoint] = useState<string | null>(null)
  const look = () => void pushOfBrowser().then((subscription) => setEndpoint(subscription?.endpoint ?? null))
  useEffect(look, [])
  return { endpoint, look }
}

interface ThisBrowserProps {
  /** Undefined while it is off. */
  own: PushBrowser | undefined
  known: readonly PushBrowser[]
  publicKey: string
  onChanged: () => void
}

function ThisBrowser({ own, known, publicKey, onChanged }: ThisBrowserProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const add = useCall(addPushSubscription)
  const remove = useCall(removePushSubscription)
  const test = useCall(testPushSubscription, { onSuccess: () => toast(m.settings_push_test_sent()) })
  const name = deviceName(navigator.userAgent)
  /** What the browser or the server says is shown here, and the switch stays as it was. */
  const change = async (act: () => Promise<unknown>) => {
    setProblem(null)
    setAsking(true)
    try {
      await act()
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setAsking(false)
      onChanged()
    }
  }
  const switchOn = () =>
    change(async () => {
      const isOwn = (endpoint: string) => known.some((browser) => browser.endpoint === endpoint)
      const address = await subscribeBrowser(publicKey, isOwn)
      await add.mutateAsync({ subscription: { ...address, name } })
    })
  const switchOff = ({ endpoint }: PushBrowser) =>
    change(async () => {
      await remove.mutateAsync({ endpoint })
      await (await pushOfBrowser())?.unsubscribe()
    })
  return (
    <li className="py-2">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-40 flex-1">
          <span className="block text-ink-strong">{m.settings_push_this({ name })}</span>
          <span className="block text-xs text-ink-2">{stateOf(own !== undefined)}</span>
        </span>
        {own && (
          <span className="flex flex-wrap gap-2">
            <Button size="sm" pending={test.isPending} onClick={() => test.mutate({ id: own.id })}>
              {m.settings_push_test()}
            </Button>
            <Button size="sm" pending={isAsking} onClick={() => void switchOff(own)}>
              {m.settings_push_off()}
            </Button>
          </span>
        )}
        {!own && canPush() && (
          <Button size="sm" pending={isAsking} onClick={() => void switchOn()}>
            {m.settings_push_on()}
          </Button>
        )}
      </div>
      {(problem ?? test.error) && (
        <Banner tone="bad" role="alert">
          {problem ?? refusalText(test.error)}
        </Banner>
      )}
    </li>
  )
}

function stateOf(isOn: boolean): string {
  if (isOn) return m.settings_push_is_on()
  if (!canPush()) return m.settings_push_impossible()
  return Notification.permission === 'denied' ? m.settings_push_denied() : m.settings_push_is_off()
}

function problemOf(error: unknown): string {
  if (error instanceof PushRefused) return m.settings_push_denied()
  // of the Push API: no service of the browser answers
  if (error instanceof DOMException) return m.settings_push_unreachable()
  return refusalText(error)
}

/** One that is lost or not used any more. */
function OtherBrowser({ browser: { name, endpoint, since } }: { browser: PushBrowser }) {
  const now = useNow(60_000)
  const remove = useCall(removePushSubscription, { onSuccess: () => toast(m.settings_push_removed({ name })) })
  return (
    <li className="py-2">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-40 flex-1">
          <span className="block text-ink-strong">{name}</span>
          <span className="num block text-xs text-ink-2">
            {m.settings_push_since({ age: formatPastAge(since, now) })}
          </span>
        </span>
        <Button
          size="sm"
          pending={remove.isPending}
          aria-label={m.settings_push_remove_of({ name })}
          onClick={() => remove.mutate({ endpoint })}
        >
          {m.settings_push_remove()}
        </Button>
      </div>
      {remove.error && (
        <Banner tone="bad" role="alert">
          {refusalText(remove.error)}
        </Banner>
      )}
    </li>
  )
}
