import { useEffect, useState } from 'react'

export type RefusalText = (reason: string, params: object) => string | undefined

/** The sentences of refusals are many, and most days none is needed: they load with the first one. */
export function useRefusalText(): RefusalText {
  const [text, setText] = useState<RefusalText>(() => () => undefined)
  useEffect(() => {
    let isOver = false
    import('../../../errors/refusals.ts').then(
      ({ refusalText }) => !isOver && setText(() => refusalText),
      // Not on this phone yet: the general sentence stays.
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [])
  return text
}
