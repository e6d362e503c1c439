import { createContext, useContext } from 'react'

/** Whether the reader administers the portal, as the session tells: how data are loaded is said to nobody else. */
export const AdministratorContext = createContext(false)

export const useIsAdministrator = (): boolean => useContext(AdministratorContext)
