package speed

import (
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/kubernetes/typed/coordination/v1/fake"
	"k8s.io/client-go/testing"
)

// The part of client-go's fake clientset that has Leases, assembled as kubernetes/fake NewSimpleClientset and
// NewClientset do; the rest takes a minute to compile.
func newFake() *fake.FakeCoordinationV1 {
	return fakedOver(testing.NewObjectTracker(scheme.Scheme, scheme.Codecs.UniversalDecoder()))
}

func fakedWithManagers() *fake.FakeCoordinationV1 {
	return fakedOver(testing.NewFieldManagedObjectTracker(scheme.Scheme, scheme.Codecs.UniversalDecoder(), applyconfigurations.NewTypeConverter(scheme.Scheme)))
}

func fakedOver(objects testing.ObjectTracker) *fake.FakeCoordinationV1 {
	f := &testing.Fake{}
	f.AddReactor("*", "*", testing.ObjectReaction(objects))
	f.AddWatchReactor("*", func(action testing.Action) (bool, watch.Interface, error) {
		w, err := objects.Watch(action.GetResource(), action.GetNamespace())
		return err == nil, w, err
	})
	return &fake.FakeCoordinationV1{Fake: f}
}
