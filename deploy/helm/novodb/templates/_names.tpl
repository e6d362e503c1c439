{{/* Name of everything of a release: the release's own where that says novodb already. */}}
{{- define "novodb.name" -}}
{{- $name := ternary .Release.Name (printf "%s-novodb" .Release.Name) (contains "novodb" .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* What tells the release's servers, or its workers, from all other pods. */}}
{{- define "novodb.selector" -}}
app.kubernetes.io/name: novodb
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "novodb.labels" -}}
{{ include "novodb.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "novodb.claim" -}}
{{- .Values.data.existingClaim | default (printf "%s-data" (include "novodb.name" .)) -}}
{{- end -}}
