/** What an assembly's counts by data type call the places on proteins that its annotation has. Read by browser, server and loader. */
export const proteinFeatureData = 'features'
